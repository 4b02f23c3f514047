import { Anchor, Badge, Card, Group, ScrollArea, Skeleton, Stack, Text } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { Problem } from '../elements/Problem.tsx';
import { ScreenTitle } from '../elements/ScreenTitle.tsx';
import { Scrubber } from '../elements/Scrubber.tsx';
import { SplitView } from '../elements/SplitView.tsx';
import { useConversation, useProcedures } from './api.ts';
import { foldRecords, stepOf } from './conversation.ts';
import { ConversationPanel } from './ConversationPanel.tsx';
import { ConversationPicture } from './ConversationPicture.tsx';
import { RecordList } from './RecordList.tsx';
import { ReplayVerdict } from './ReplayVerdict.tsx';

const route = getRouteApi('/sops/conversations/$id');

/** One conversation in a procedure: live or long ago, it looks the same. */
export function ConversationScreen() {
  const { id } = route.useParams();
  const { at: wanted, step } = route.useSearch();
  const navigate = route.useNavigate();
  const { data, error, refetch } = useConversation(id);
  const known = useProcedures().data?.files.map(({ file }) => file);
  // A procedure the operator named from elsewhere is known by its agent.
  const file = [data?.sop_file, data?.agent].find((name) => name && known?.includes(name)) ?? null;
  const last = (data?.records.length ?? 1) - 1;
  const at = wanted === undefined || wanted >= last ? undefined : wanted;
  const view = useMemo(() => foldRecords(data?.records ?? [], at), [data, at]);
  if (error) return <Problem error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton h={480} />;

  const show = (next: { at: number | undefined; step: string | undefined }) =>
    void navigate({
      search: { ...(next.at === undefined ? {} : { at: next.at }), ...(next.step ? { step: next.step } : {}) },
      replace: true,
    });
  const { procedure } = data;
  const isDrawn = procedure !== undefined && (view.agent === undefined || view.agent === procedure.agent);

  return (
    <Stack gap="sm" h="calc(100dvh - 52px - 2 * var(--mantine-spacing-md))">
      <ScreenTitle
        title={view.agent ?? 'Conversation'}
        hint={
          <>
            Conversation {id.slice(0, 8)}
            {file ? (
              <>
                {' '}
                in{' '}
                <Anchor
                  inherit
                  underline="always"
                  renderRoot={(props) => <Link to="/sops/$file" params={{ file }} {...props} />}
                >
                  {file}
                </Anchor>
              </>
            ) : null}
          </>
        }
        actions={
          <Group gap="xs" role="status">
            <Badge variant="dot" color={view.complete ? 'teal' : 'blue'} tt="none">
              {view.complete ? `complete at ${view.current}` : view.current ? `at ${view.current}` : 'not begun'}
            </Badge>
            {view.refused.length > 0 ? (
              <Badge variant="dot" color="red" tt="none">
                {view.refused.length} refused
              </Badge>
            ) : null}
          </Group>
        }
      />
      <Group gap="xs" wrap="nowrap" role="toolbar" aria-label="Replay">
        <Scrubber last={last} at={at} onTravel={(index) => show({ at: index, step: undefined })} />
      </Group>
      <ReplayVerdict id={id} file={file} hash={data.content_hash} records={data.records.length} />
      <SplitView
        main={
          isDrawn ? (
            <ConversationPicture
              procedure={procedure}
              view={view}
              selected={step}
              onSelect={(next) => show({ at, step: next })}
            />
          ) : (
            <Card withBorder h="100%">
              <Text c="dimmed">
                {procedure
                  ? 'Here the conversation was in another procedure; go forward to see the one it is in now.'
                  : 'The text of this procedure is no longer kept; what happened is on the right.'}
              </Text>
            </Card>
          )
        }
        aside={
          <ScrollArea h="100%" type="auto">
            <Stack gap="md" pr="md">
              <ConversationPanel procedure={procedure} view={view} step={step ?? view.current} />
              <RecordList
                records={data.records}
                at={at ?? last}
                onSelect={(index) => {
                  const record = data.records[index];
                  show({ at: index >= last ? undefined : index, step: record && stepOf(record) });
                }}
              />
            </Stack>
          </ScrollArea>
        }
      />
    </Stack>
  );
}
