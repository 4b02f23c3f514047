/** What a caller may be allowed to do. The words are shown to people on the consent page. */
export const scopes = {
  'learner:read': 'See your learning progress',
  'learner:write': 'Change your learning goals and check-ins',
  'session:manage': 'Run tutoring and practice sessions',
  'tasks:read': 'See your tasks',
  'tasks:write': 'Add, change, complete and delete your tasks',
  'books:read': 'Read your books',
  'books:write': 'Write and restructure your books',
  'graphs:run': 'Run tool graphs',
  'graphs:edit': 'Create and change tool graphs',
  'sop:run': 'Follow standard operating procedures',
} as const;

export type Scope = keyof typeof scopes;

export const allScopes = Object.keys(scopes) as Scope[];
