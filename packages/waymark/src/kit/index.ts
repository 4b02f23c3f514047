export { callTool, refuse } from './call.ts';
export { createCatalog, type Catalog, type CatalogEntry, type Selection } from './catalog.ts';
export { type Context, type Logger, silentLogger, type User } from './context.ts';
export { createHost, type Host } from './host.ts';
export { connectInProcess } from './in-process.ts';
export { type Caller, createMcpServer } from './mcp-server.ts';
export { nearest } from './nearest.ts';
export { Reply, type ToolAnswer } from './result.ts';
export { compileSchema, type CompiledSchema, type JsonSchema } from './schema.ts';
export { allScopes, scopes, type Scope } from './scope.ts';
export { annotate, defineTool, type Tool, type ToolAnnotations, type ToolDefinition } from './tool.ts';
export { InvalidInputError, type InputIssue, ToolError } from './tool-error.ts';
export {
  defineToolset,
  type PromptDefinition,
  type ResourceDefinition,
  type Toolset,
  type ToolsetDefinition,
} from './toolset.ts';
export { createEvents, type Events, type WaymarkEvent } from './events.ts';
export { createRoots, type Roots } from './roots.ts';
