export { ConversationScreen } from './ConversationScreen.tsx';
export { ProcedureScreen } from './ProcedureScreen.tsx';
export { ProceduresScreen } from './ProceduresScreen.tsx';
