import { Alert, Button, Group, List, Loader, Skeleton, Stack, Textarea, Title } from '@mantine/core';
import { ArrowLeft, SendHorizontal } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { AppFrame } from '../apps/AppFrame.tsx';
import { Answered, Said } from '../chat/Message.tsx';
import { Problem } from '../elements/Problem.tsx';
import { endpoint, useEndSession, useOpened, useSay, useSession } from './api.ts';

/** One session: check in, talk, end it with a summary. */
export function SessionView({ id, onLeave }: { id: string; onLeave: () => void }) {
  const session = useSession(id);
  const opening = useOpened(id);
  const say = useSay(id);
  const end = useEndSession(id);
  const [words, setWords] = useState('');
  const bottom = useRef<HTMLDivElement>(null);
  const messages = session.data?.messages ?? [];
  useEffect(() => {
    if (messages.length > 0) bottom.current?.scrollIntoView({ block: 'end' });
  }, [messages.length, say.isPending]);
  if (session.error) return <Problem error={session.error} onRetry={() => void session.refetch()} />;
  if (!session.data) return <Skeleton h={320} />;

  const isOpen = session.data.ended_at === null;
  const send = (text: string) => {
    if (text.trim() === '' || say.isPending) return;
    setWords('');
    say.mutate(text.trim(), { onError: () => setWords(text) });
  };
  return (
    <Stack maw={760}>
      <Group justify="space-between">
        <Title order={2} size="h4">
          {session.data.goal ?? 'Session'}
        </Title>
        <Group gap="xs">
          <Button size="xs" variant="default" leftSection={<ArrowLeft size={14} aria-hidden />} onClick={onLeave}>
            Sessions
          </Button>
          {isOpen ? (
            <Button size="xs" variant="default" loading={end.isPending} onClick={() => end.mutate()}>
              End the session
            </Button>
          ) : null}
        </Group>
      </Group>
      {opening && isOpen ? (
        <AppFrame
          endpoint={endpoint}
          uri="ui://widget/checkin.html"
          title="Check-in"
          result={opening}
          onMessage={send}
        />
      ) : null}
      <Stack gap="md" role="log" aria-label="Session">
        {messages.map(({ role, content }, index) =>
          role === 'user' ? <Said key={index} text={content} /> : <Answered key={index} text={content} calls={[]} />,
        )}
        {say.isPending ? (
          <>
            <Said text={say.variables} />
            <Loader type="dots" size="sm" aria-label="The tutor is thinking" />
          </>
        ) : null}
      </Stack>
      {end.data && end.data.nextSteps.length > 0 ? (
        <Alert variant="light" title="Next">
          <List size="sm">
            {end.data.nextSteps.map((step) => (
              <List.Item key={step}>{step}</List.Item>
            ))}
          </List>
        </Alert>
      ) : null}
      {isOpen ? (
        <Group align="flex-end" wrap="nowrap">
          <Textarea
            flex={1}
            autosize
            maxRows={8}
            label="Your words"
            value={words}
            onChange={(event) => setWords(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || event.shiftKey) return;
              event.preventDefault();
              send(words);
            }}
          />
          <Button
            leftSection={<SendHorizontal size={16} aria-hidden />}
            disabled={words.trim() === '' || say.isPending}
            onClick={() => send(words)}
          >
            Say it
          </Button>
        </Group>
      ) : null}
      <div ref={bottom} />
    </Stack>
  );
}
