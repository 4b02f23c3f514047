import { SegmentedControl, Stack } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { ScreenTitle } from '../elements/ScreenTitle.tsx';
import { useTalk } from './api.ts';
import { KnowledgeView } from './KnowledgeView.tsx';
import { PracticeView } from './PracticeView.tsx';
import { ProgressView } from './ProgressView.tsx';
import { SessionsView } from './SessionsView.tsx';
import { SessionView } from './SessionView.tsx';

const route = getRouteApi('/learn');
const views = [
  { value: 'progress', label: 'Progress' },
  { value: 'sessions', label: 'Sessions' },
  { value: 'practice', label: 'Practice' },
  { value: 'knowledge', label: 'Knowledge' },
];

/** Learn with the tutor, practise, and see what is proven. */
export function LearnScreen() {
  const { view = 'progress', session } = route.useSearch();
  const navigate = route.useNavigate();
  const open = (id: string | undefined) =>
    void navigate({ search: { view: 'sessions', ...(id === undefined ? {} : { session: id }) } });
  const talk = useTalk();
  const say = (text: string) => talk.mutate(text, { onSuccess: open });
  return (
    <Stack>
      <ScreenTitle
        title="Learning"
        hint="A tutor that asks, checks and remembers. What counts is what you have shown."
      />
      <SegmentedControl
        aria-label="View"
        size="xs"
        w="fit-content"
        maw="100%"
        data={views}
        value={view}
        onChange={(next) => void navigate({ search: next === 'progress' ? {} : { view: next } })}
      />
      {view === 'progress' ? <ProgressView onSay={say} /> : null}
      {view === 'knowledge' ? <KnowledgeView onSay={say} /> : null}
      {view === 'practice' ? <PracticeView onSay={say} /> : null}
      {view === 'sessions' && session === undefined ? <SessionsView onOpen={open} /> : null}
      {view === 'sessions' && session !== undefined ? (
        <SessionView key={session} id={session} onLeave={() => open(undefined)} />
      ) : null}
    </Stack>
  );
}
