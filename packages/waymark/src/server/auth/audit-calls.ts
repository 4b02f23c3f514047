import type { Host } from '../../kit/index.ts';
import type { Audit } from './audit.ts';

/** Records every call of a tool that may change something: who, which tool, whether it worked; never its arguments. */
export function auditCalls(audit: Audit): Host['aroundCall'] {
  return async ({ toolset, tool }, context, next) => {
    const result = await next(context);
    if (!tool.annotations.readOnly) {
      const ok = !('isError' in result && result.isError === true);
      const details = { toolset: toolset.name, tool: tool.name, ok };
      audit.record({ event: 'tool-called', userId: context.user.id, client: context.user.client, details });
    }
    return result;
  };
}
