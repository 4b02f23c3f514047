import { createRootRoute, createRoute, createRouter } from '@tanstack/react-router';
import { HomeScreen } from './screens/HomeScreen.tsx';
import { NotFoundScreen } from './screens/NotFoundScreen.tsx';
import { Shell } from './shell/Shell.tsx';

const root = createRootRoute({ component: Shell, notFoundComponent: NotFoundScreen });

const home = createRoute({ getParentRoute: () => root, path: '/', component: HomeScreen });

export const router = createRouter({ routeTree: root.addChildren([home]), defaultPreload: 'intent' });

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
