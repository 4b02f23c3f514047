import { Anchor, Card, Skeleton, Stack, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { BookOpen } from 'lucide-react';
import { EmptyState } from '../elements/EmptyState.tsx';
import { Problem } from '../elements/Problem.tsx';
import { ScreenTitle } from '../elements/ScreenTitle.tsx';
import { useBooks } from './api.ts';

/** The books this server can reach. */
export function BooksScreen() {
  const books = useBooks();
  return (
    <Stack maw={820}>
      <ScreenTitle title="Books" hint="Planned from the top down, written paragraph by paragraph." />
      {books.error ? <Problem error={books.error} onRetry={() => void books.refetch()} /> : null}
      {books.isPending ? <Skeleton h={120} /> : null}
      {books.data?.length === 0 ? (
        <EmptyState icon={BookOpen} title="No book yet" command="waymark serve --root examples">
          Ask an agent to start one, call create_document in the console, or serve a directory that holds some.
        </EmptyState>
      ) : null}
      {books.data?.map((book) => (
        <Card key={book} withBorder>
          <Title order={2} size="h4">
            <Anchor inherit renderRoot={(props) => <Link to="/books/$book" params={{ book }} {...props} />}>
              {book}
            </Anchor>
          </Title>
        </Card>
      ))}
    </Stack>
  );
}
