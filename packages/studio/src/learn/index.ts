export { LearnScreen } from './LearnScreen.tsx';
