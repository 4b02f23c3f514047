export { ChatScreen } from './ChatScreen.tsx';
