import {
  ActionIcon,
  Badge,
  Box,
  Button,
  Group,
  Loader,
  NavLink,
  ScrollArea,
  Stack,
  Text,
  Textarea,
  Tooltip,
} from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import { MessagesSquare, Plus, SendHorizontal, Square } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useServerInfo } from '../api/info.ts';
import { EmptyState } from '../elements/EmptyState.tsx';
import { Problem } from '../elements/Problem.tsx';
import { ScreenTitle } from '../elements/ScreenTitle.tsx';
import { useConversations, useHistory } from './api.ts';
import { choicesOf } from './choices.ts';
import { Answered, Said } from './Message.tsx';
import { useChat } from './use-chat.ts';

const route = getRouteApi('/chat');

/** Talk to the task agent. Every change goes through a tool and is shown; deleting asks first. */
export function ChatScreen() {
  const { conversation } = route.useSearch();
  const navigate = route.useNavigate();
  const { data: info } = useServerInfo();
  const history = useHistory(conversation);
  const chat = useChat(conversation, (id) => void navigate({ search: { conversation: id }, replace: true }));
  const bottom = useRef<HTMLDivElement>(null);
  const turns = history.data?.turns ?? [];
  const shown = turns.length + (chat.running?.reply.length ?? 0) + (chat.running ? 1 : 0);
  useEffect(() => bottom.current?.scrollIntoView({ block: 'end' }), [shown]);

  return (
    <Stack gap="sm" h="calc(100dvh - 52px - 2 * var(--mantine-spacing-md))">
      <ScreenTitle
        title="Chat"
        hint={
          info?.model === 'offline'
            ? 'The offline model answers: rules for English, no language model. Set WAYMARK_MODEL to use one.'
            : `${info?.model ?? ''} answers.`
        }
      />
      <Group align="stretch" wrap="nowrap" flex={1} mih={0} gap="md">
        <Conversations current={conversation} />
        <Stack flex={1} mih={0} miw={0}>
          <ScrollArea flex={1} type="auto" role="log" aria-label="Conversation" tabIndex={0}>
            <Stack gap="md" pr="sm">
              {turns.length === 0 && !chat.running ? <Welcome onTry={(text) => void chat.send(text)} /> : null}
              {turns.map((turn, index) => (
                <Stack key={index} gap="sm">
                  <Said text={turn.message} />
                  <Answered
                    text={turn.reply}
                    calls={turn.calls}
                    choices={
                      index === turns.length - 1 && !chat.running
                        ? choicesOf(turn.reply, chat.pending !== undefined)
                        : []
                    }
                    onChoose={(choice) => void chat.send(choice)}
                  />
                </Stack>
              ))}
              {chat.running ? (
                <Stack gap="sm">
                  <Said text={chat.running.message} />
                  <Answered text={chat.running.reply} calls={chat.running.calls} />
                  {chat.running.reply === '' ? <Loader size="xs" type="dots" aria-label="Answering" /> : null}
                </Stack>
              ) : null}
              {chat.failed ? (
                <Problem error={chat.failed.error} onRetry={() => void chat.send(chat.failed?.message ?? '')} />
              ) : null}
              <div ref={bottom} />
            </Stack>
          </ScrollArea>
          <Composer busy={chat.running !== undefined} onSend={(text) => void chat.send(text)} onStop={chat.stop} />
        </Stack>
      </Group>
    </Stack>
  );
}

function Conversations({ current }: { current: string | undefined }) {
  const conversations = useConversations();
  return (
    <Box w={220} visibleFrom="md" component="nav" aria-label="Conversations">
      <Button
        fullWidth
        variant="default"
        leftSection={<Plus size={16} aria-hidden />}
        renderRoot={(props) => <Link to="/chat" search={{}} {...props} />}
      >
        New conversation
      </Button>
      <ScrollArea.Autosize mah="60vh" mt="xs">
        {conversations.data?.conversations.map(({ id, title, waiting }) => (
          <NavLink
            key={id}
            active={id === current}
            label={title}
            rightSection={waiting ? <Badge size="xs">asks</Badge> : null}
            renderRoot={(props) => <Link to="/chat" search={{ conversation: id }} {...props} />}
          />
        ))}
      </ScrollArea.Autosize>
    </Box>
  );
}

const suggestions = ['Add buy milk tomorrow', 'What is due today?', 'Show my tasks'];

function Welcome({ onTry }: { onTry: (text: string) => void }) {
  return (
    <EmptyState
      icon={MessagesSquare}
      title="Tell me what to remember"
      action={
        <Group gap="xs" justify="center">
          {suggestions.map((text) => (
            <Button key={text} size="xs" variant="default" onClick={() => onTry(text)}>
              {text}
            </Button>
          ))}
        </Group>
      }
    >
      Add, list, complete, change and delete tasks in plain words. Nothing is deleted before you say yes.
    </EmptyState>
  );
}

function Composer({ busy, onSend, onStop }: { busy: boolean; onSend: (text: string) => void; onStop: () => void }) {
  const [text, setText] = useState('');
  function submit(): void {
    if (text.trim() === '' || busy) return;
    onSend(text.trim());
    setText('');
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Group align="flex-end" wrap="nowrap" gap="xs">
        <Textarea
          flex={1}
          autosize
          minRows={1}
          maxRows={6}
          aria-label="Message"
          placeholder="Remind me to call mom tomorrow, it's important"
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && !event.shiftKey) {
              event.preventDefault();
              submit();
            }
          }}
        />
        {busy ? (
          <Tooltip label="Stop">
            <ActionIcon size={36} variant="default" onClick={onStop} aria-label="Stop">
              <Square size={16} />
            </ActionIcon>
          </Tooltip>
        ) : (
          <Tooltip label="Send (Enter)">
            <ActionIcon size={36} type="submit" aria-label="Send">
              <SendHorizontal size={18} />
            </ActionIcon>
          </Tooltip>
        )}
      </Group>
      <Text size="xs" c="dimmed" mt={4}>
        Enter sends, Shift+Enter makes a new line.
      </Text>
    </form>
  );
}
