import { defineToolset, type Toolset } from '../kit/index.ts';
import type { TaskServices } from './task-access.ts';
import { TaskService } from './task-service.ts';
import { createMoreTools } from './tools-more.ts';
import { createTransferTools } from './tools-transfer.ts';
import { createCoreTools } from './tools.ts';
import { toErrorReply } from './wire.ts';

export { readLabels } from './labels.ts';
export { decodeCursor, encodeCursor } from './list-query.ts';
export { limits, priorities } from './model.ts';
export { readQuickTask } from './quick-add.ts';
export { readTitle } from './content-rules.ts';
export { formatNames, type FormatName, formats, guessFormat } from './formats/index.ts';
export { exportTasks, type ExportResult, importTasks, type ImportReport } from './transfer.ts';
export { fullTask } from './wire.ts';
export type { Priority, Task, TaskContent } from './model.ts';
export type { Circumstances } from './requests.ts';
export type { TaskServices } from './task-access.ts';
export { TaskService } from './task-service.ts';
export { timeZoneKey } from './wire.ts';

export function createTasksToolset(services: TaskServices): Toolset {
  const service = new TaskService(services);
  return defineToolset({
    name: 'tasks',
    title: 'Tasks',
    instructions:
      'Tasks of a person. Find a task with list_tasks before changing it, and ask before delete_task. Dates may be words; the answer says the resolved date.',
    tools: [...createCoreTools(service), ...createMoreTools(service), ...createTransferTools(service)],
    onError: toErrorReply,
  });
}
