export { BookScreen } from './BookScreen.tsx';
export { BooksScreen } from './BooksScreen.tsx';
