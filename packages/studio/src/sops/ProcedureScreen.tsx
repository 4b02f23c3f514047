import {
  Badge,
  Button,
  Group,
  ScrollArea,
  SegmentedControl,
  Select,
  Skeleton,
  Stack,
  Switch,
  Text,
} from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import { useMemo } from 'react';
import { Problem } from '../elements/Problem.tsx';
import { ScreenTitle } from '../elements/ScreenTitle.tsx';
import { SplitView } from '../elements/SplitView.tsx';
import { type ProcedureFile, useCoverage, useProcedure } from './api.ts';
import { ConversationLinks } from './ConversationLinks.tsx';
import { CoverageSummary } from './CoverageSummary.tsx';
import { placeProblems, procedureOf } from './outline.ts';
import { ProblemList } from './ProblemList.tsx';
import { ProcedurePicture } from './ProcedurePicture.tsx';
import { SourceView } from './SourceView.tsx';
import { StepList } from './StepList.tsx';
import { StepPanel } from './StepPanel.tsx';

const route = getRouteApi('/sops/$file');

/** One procedure: drawn, as a list, or as the file it is. What you look at is in the address. */
export function ProcedureScreen() {
  const { file: path } = route.useParams();
  const file = useProcedure(path);
  if (file.error) return <Problem error={file.error} onRetry={() => void file.refetch()} />;
  if (!file.data) return <Skeleton h={480} />;
  return <ProcedureWorkbench path={path} file={file.data} />;
}

function ProcedureWorkbench({ path, file }: { path: string; file: ProcedureFile }) {
  const { step: wanted, view: wantedView, coverage: showsCoverage } = route.useSearch();
  const navigate = route.useNavigate();
  const procedure = useMemo(() => procedureOf(file), [file]);
  const coverage = useCoverage(path, showsCoverage !== undefined && procedure !== undefined);
  const problems = useMemo(() => placeProblems(file.problems, procedure?.nodes ?? []), [file, procedure]);
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  const view = procedure ? (wantedView ?? 'picture') : 'source';
  const selected = procedure?.nodes.find(({ id }) => id === wanted);
  const show = (change: { step?: string | undefined; view?: string | undefined; coverage?: string | undefined }) => {
    // From the address as it is by then: two clicks may come before the first is drawn.
    void navigate({
      search: (before) =>
        Object.fromEntries(Object.entries({ ...before, ...change }).filter(([, value]) => value !== undefined)),
      replace: true,
    });
  };
  const select = (step: string | undefined) => show({ step });

  return (
    <Stack gap="sm" h="calc(100dvh - 52px - 2 * var(--mantine-spacing-md))">
      <ScreenTitle
        title={procedure?.agent ?? path}
        hint={`${file.file}${procedure?.version ? ` · version ${procedure.version}` : ''}`}
        actions={
          <Button
            size="xs"
            variant="default"
            leftSection={<ArrowLeft size={14} aria-hidden />}
            renderRoot={(props) => <Link to="/sops" {...props} />}
          >
            Procedures
          </Button>
        }
      />
      <Group gap="md">
        <SegmentedControl
          size="xs"
          aria-label="View"
          value={view}
          disabled={!procedure}
          data={[
            { value: 'picture', label: 'Picture' },
            { value: 'list', label: 'List' },
            { value: 'source', label: 'File' },
          ]}
          onChange={(value) => show({ view: value === 'picture' ? undefined : value })}
        />
        <Badge variant="dot" color={errors > 0 ? 'red' : problems.length > 0 ? 'orange' : 'teal'} role="status">
          {errors > 0 ? `${errors} to fix` : problems.length > 0 ? `Loads, ${problems.length} in doubt` : 'No problems'}
        </Badge>
        {procedure ? (
          <Select
            size="xs"
            w={220}
            aria-label="Find a step"
            placeholder="Find a step…"
            searchable
            clearable
            data={procedure.nodes.map(({ id, description }) => ({ value: id, label: `${id} · ${description}` }))}
            value={selected?.id ?? null}
            onChange={(id) => select(id ?? undefined)}
          />
        ) : null}
        {procedure ? (
          <Switch
            size="sm"
            label="Coverage"
            checked={showsCoverage !== undefined}
            onChange={(event) => show({ coverage: event.currentTarget.checked ? 'on' : undefined })}
          />
        ) : null}
        {showsCoverage && coverage.data ? <CoverageSummary coverage={coverage.data} /> : null}
      </Group>
      <SplitView
        main={
          view === 'source' || !procedure ? (
            <SourceView source={file.source} problems={problems} line={selected?.line} />
          ) : view === 'list' ? (
            <StepList
              procedure={procedure}
              problems={problems}
              visits={showsCoverage ? coverage.data?.visits : undefined}
              selected={selected?.id}
              onSelect={select}
            />
          ) : (
            <ProcedurePicture
              procedure={procedure}
              problems={problems}
              coverage={showsCoverage ? coverage.data : undefined}
              selected={selected?.id}
              onSelect={select}
            />
          )
        }
        aside={
          <ScrollArea h="100%" type="auto">
            {procedure && selected ? (
              <StepPanel
                key={selected.id}
                path={path}
                hash={file.content_hash}
                procedure={procedure}
                step={selected}
                problems={problems.filter(({ step }) => step === selected.id)}
                onSelect={select}
              />
            ) : (
              <Stack gap="sm">
                <Text size="sm" c="dimmed">
                  {procedure
                    ? 'Select a step to read its instructions and change its words.'
                    : 'This file does not load as a procedure yet. Fix what is listed here.'}
                </Text>
                <ProblemList problems={problems} onSelect={select} />
                {procedure ? <ConversationLinks agent={procedure.agent} /> : null}
              </Stack>
            )}
          </ScrollArea>
        }
      />
    </Stack>
  );
}
