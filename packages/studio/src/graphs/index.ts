export { GraphScreen } from './GraphScreen.tsx';
export { GraphsScreen } from './GraphsScreen.tsx';
