import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { HomeScreen } from './screens/HomeScreen.tsx';
import { NotFoundScreen } from './screens/NotFoundScreen.tsx';
import { Shell } from './shell/Shell.tsx';

const root = createRootRoute({ component: Shell, notFoundComponent: NotFoundScreen });

const home = createRoute({ getParentRoute: () => root, path: '/', component: HomeScreen });

const graphs = createRoute({
  getParentRoute: () => root,
  path: '/graphs',
  component: lazyRouteComponent(() => import('./graphs/index.ts'), 'GraphsScreen'),
});

const graph = createRoute({
  getParentRoute: () => root,
  path: '/graphs/$name',
  component: lazyRouteComponent(() => import('./graphs/index.ts'), 'GraphScreen'),
});

const runs = createRoute({
  getParentRoute: () => root,
  path: '/runs',
  validateSearch: (search): { graph?: string; status?: string } => ({
    ...textOf(search, 'graph'),
    ...textOf(search, 'status'),
  }),
  component: lazyRouteComponent(() => import('./runs/index.ts'), 'RunsScreen'),
});

const run = createRoute({
  getParentRoute: () => root,
  path: '/runs/$run',
  component: lazyRouteComponent(() => import('./runs/index.ts'), 'RunScreen'),
});

const inbox = createRoute({
  getParentRoute: () => root,
  path: '/inbox',
  component: lazyRouteComponent(() => import('./runs/index.ts'), 'InboxScreen'),
});

const books = createRoute({
  getParentRoute: () => root,
  path: '/books',
  component: lazyRouteComponent(() => import('./books/index.ts'), 'BooksScreen'),
});

const book = createRoute({
  getParentRoute: () => root,
  path: '/books/$book',
  validateSearch: (search): { node?: string } => textOf(search, 'node'),
  component: lazyRouteComponent(() => import('./books/index.ts'), 'BookScreen'),
});

const procedures = createRoute({
  getParentRoute: () => root,
  path: '/sops',
  component: lazyRouteComponent(() => import('./sops/index.ts'), 'ProceduresScreen'),
});

const procedure = createRoute({
  getParentRoute: () => root,
  path: '/sops/$file',
  validateSearch: (search): { step?: string; view?: string; coverage?: string } => ({
    ...textOf(search, 'step'),
    ...textOf(search, 'view'),
    ...textOf(search, 'coverage'),
  }),
  component: lazyRouteComponent(() => import('./sops/index.ts'), 'ProcedureScreen'),
});

const conversation = createRoute({
  getParentRoute: () => root,
  path: '/sops/conversations/$id',
  validateSearch: (search): { at?: number; step?: string } => ({
    ...(typeof search['at'] === 'number' ? { at: search['at'] } : {}),
    ...textOf(search, 'step'),
  }),
  component: lazyRouteComponent(() => import('./sops/index.ts'), 'ConversationScreen'),
});

const learn = createRoute({
  getParentRoute: () => root,
  path: '/learn',
  validateSearch: (search): { view?: string; session?: string; as?: string } => ({
    ...textOf(search, 'view'),
    ...textOf(search, 'session'),
    ...textOf(search, 'as'),
  }),
  component: lazyRouteComponent(() => import('./learn/index.ts'), 'LearnScreen'),
});

const mcpConsole = createRoute({
  getParentRoute: () => root,
  path: '/console',
  validateSearch: (search): { toolset?: string; tool?: string } => ({
    ...textOf(search, 'toolset'),
    ...textOf(search, 'tool'),
  }),
  component: lazyRouteComponent(() => import('./console/index.ts'), 'ConsoleScreen'),
});

const chat = createRoute({
  getParentRoute: () => root,
  path: '/chat',
  validateSearch: (search): { conversation?: string } => textOf(search, 'conversation'),
  component: lazyRouteComponent(() => import('./chat/index.ts'), 'ChatScreen'),
});

const tasks = createRoute({
  getParentRoute: () => root,
  path: '/tasks',
  validateSearch: (search): { view?: string; search?: string } => ({
    ...textOf(search, 'view'),
    ...textOf(search, 'search'),
  }),
  component: lazyRouteComponent(() => import('./tasks/index.ts'), 'TasksScreen'),
});

/** A search parameter, kept only where it is text. */
function textOf<Name extends string>(search: Record<string, unknown>, name: Name): Partial<Record<Name, string>> {
  const value = search[name];
  return (typeof value === 'string' ? { [name]: value } : {}) as Partial<Record<Name, string>>;
}

export const router = createRouter({
  routeTree: root.addChildren([
    home,
    chat,
    tasks,
    graphs,
    graph,
    runs,
    run,
    inbox,
    books,
    book,
    procedures,
    procedure,
    conversation,
    learn,
    mcpConsole,
  ]),
  defaultPreload: 'intent',
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
