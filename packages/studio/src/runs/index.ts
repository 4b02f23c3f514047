export { InboxScreen } from './InboxScreen.tsx';
export { RunScreen } from './RunScreen.tsx';
export { RunsScreen } from './RunsScreen.tsx';
