export { TasksScreen } from './TasksScreen.tsx';
