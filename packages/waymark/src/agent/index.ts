export { ConversationStore, type ConversationSummary, type StoredTurn } from './conversation-store.ts';
export type { CallRecord } from './model.ts';
export { loadModel } from './providers/load-model.ts';
export {
  ConversationBusyError,
  TaskAgent,
  type TaskAgentServices,
  type TurnAnswer,
  type TurnRequest,
} from './task-agent.ts';
export { classify, type Intent } from './understanding/index.ts';
export { SopAgent, type SopAgentServices, type SopTurn } from './sop/sop-agent.ts';
export { openToolServer, type ToolServer } from './sop/sop-tools.ts';
