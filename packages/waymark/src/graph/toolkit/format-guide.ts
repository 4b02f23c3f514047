/** The format in one page, written for a model. */
export const formatGuide = `# The graph format

A graph file is an MCP server written as YAML. Each tool is a small graph of nodes that runs from its one \`entry\` to its one \`exit\`.

\`\`\`yaml
version: "1.0"
server: { name: files, version: "1.0.0" }      # title and instructions are optional
executionLimits: { maxNodeExecutions: 1000, maxExecutionTimeMs: 300000 }   # optional; these are the defaults
mcpServers:
  filesystem:
    command: npx
    args: ["-y", "@modelcontextprotocol/server-filesystem", "."]
    env: { TOKEN: "\${API_TOKEN}" }             # from the environment, never shown
tools:
  - name: count_files
    description: Counts the entries of a directory
    inputSchema:  { type: object, properties: { directory: { type: string } }, required: [directory] }
    outputSchema: { type: object, properties: { count: { type: number } }, required: [count] }
    nodes:
      - { id: entry, type: entry, next: list }
      - id: list
        type: mcp
        server: filesystem
        tool: list_directory
        args: { path: { expr: "$.entry.directory" } }
        next: count
      - id: count
        type: transform
        transform: { expr: '{ "count": $count($split($.list.content, "\\n")) }' }
        next: exit
      - { id: exit, type: exit }
\`\`\`

## Data
Every node's output is kept under its id. Expressions (JSONata) see them as \`$.<id>\`; \`$.entry\` is the tool's arguments. The result of the tool is the output of the node before \`exit\`.
\`$previousNode()\` is the output of the node before, \`$executionCount("id")\` how often a node has run, \`$nodeExecution("id", -1)\` one of its outputs, \`$nodeExecutions("id")\` all of them.

## Nodes
| type | keys | output |
|---|---|---|
| entry | next | the arguments |
| mcp | server, tool, args, next | structured content, else the first text read as JSON |
| transform | transform.expr, next | the value of the expression |
| switch | conditions: [{rule, next}], next | the id of the chosen node |
| parallel | branches: [first node of each], next: the join | – |
| join | next | {first node of branch: last output of branch} |
| foreach | items, as, concurrency, nodes, next | outputs in the order of the items |
| call | tool, args, next | the result of another tool of this file |
| wait | ms, or until (an instant), next | {waitedMs} |
| approve | message, next, rejected | {approved} after a person decided |
| exit | – | the result |

In \`args\`, \`{expr: "…"}\` is evaluated, at any depth; everything else is passed on as it is. A server named \`waymark:tasks\` (or sop, hnpx) is Waymark's own.
Rules of a switch are JSON Logic; a \`var\` is a JSONata expression: \`{">": [{"var": "$.entry.n"}, 10]}\`. The first rule that holds decides, else \`next\`.
Nodes that can fail take \`retry: {attempts: 3, delayMs: 200}\`, \`timeoutMs\`, \`onError: <node>\` (the output is then \`{error: {code, message}}\`) and \`continueOnError: true\`.
Loops are allowed: let a later node's \`next\` point back, and leave by a switch.
`;
