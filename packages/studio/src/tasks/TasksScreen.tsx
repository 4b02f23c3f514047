import { Button, Card, Group, SegmentedControl, Skeleton, Stack, Text, TextInput, Title } from '@mantine/core';
import { modalConfirm } from '../elements/confirm.tsx';
import { getRouteApi } from '@tanstack/react-router';
import { ListChecks, Plus, Search, Undo2 } from 'lucide-react';
import { type FormEvent, type ReactNode, useState } from 'react';
import { EmptyState } from '../elements/EmptyState.tsx';
import { Problem } from '../elements/Problem.tsx';
import { ScreenTitle } from '../elements/ScreenTitle.tsx';
import { type Task, useTaskActions, useTasks } from './api.ts';
import { bySection, sectionLabels, type SectionName } from './sections.ts';
import { TaskEditor } from './TaskEditor.tsx';
import { TaskRow } from './TaskRow.tsx';

const route = getRouteApi('/tasks');

/** The person's tasks: overdue, today, upcoming and undated, or those done. In step with the chat and other windows. */
export function TasksScreen() {
  const { view = 'open', search = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const [editing, setEditing] = useState<Task>();
  const tasks = useTasks(view === 'done', search);
  const actions = useTaskActions();
  const now = new Date();

  const row = (task: Task) => (
    <TaskRow
      key={task.id}
      task={task}
      now={now}
      onToggle={() => actions.complete.mutate(task)}
      onEdit={() => setEditing(task)}
      onRemove={() =>
        modalConfirm({
          title: `Delete “${task.title}”?`,
          text: 'This cannot be undone.',
          action: 'Delete',
          onConfirm: () => actions.remove.mutate(task.id),
        })
      }
    />
  );

  return (
    <Stack gap="md" maw={820}>
      <ScreenTitle
        title="Tasks"
        actions={
          <Button variant="default" leftSection={<Undo2 size={16} aria-hidden />} onClick={() => actions.undo.mutate()}>
            Undo
          </Button>
        }
      />
      <QuickAdd busy={actions.add.isPending} onAdd={(text) => actions.add.mutateAsync(text)} />
      <Group justify="space-between">
        <SegmentedControl
          aria-label="Which tasks"
          value={view}
          data={[
            { value: 'open', label: 'Open' },
            { value: 'done', label: 'Done' },
          ]}
          onChange={(value) => void navigate({ search: (before) => ({ ...before, view: value }) })}
        />
        <TextInput
          aria-label="Search tasks"
          placeholder="Search"
          leftSection={<Search size={16} aria-hidden />}
          value={search}
          onChange={(event) => {
            const text = event.currentTarget.value;
            void navigate({ search: { view, ...(text ? { search: text } : {}) }, replace: true });
          }}
        />
      </Group>
      {tasks.error ? <Problem error={tasks.error} onRetry={() => void tasks.refetch()} /> : null}
      {tasks.isPending ? <Skeleton h={240} /> : null}
      {tasks.data?.tasks.length === 0 ? (
        <EmptyState icon={ListChecks} title={search ? 'Nothing matches' : 'Nothing here'}>
          {search
            ? 'Try fewer letters.'
            : 'Type a task above, or tell the agent in the chat: “remember milk tomorrow”.'}
        </EmptyState>
      ) : null}
      {tasks.data && tasks.data.tasks.length > 0 ? (
        view === 'done' ? (
          <Section title="Done" tasks={tasks.data.tasks} row={row} />
        ) : (
          Object.entries(bySection(tasks.data.tasks, now)).map(([name, list]) =>
            list.length > 0 ? (
              <Section key={name} title={sectionLabels[name as SectionName]} tasks={list} row={row} />
            ) : null,
          )
        )
      ) : null}
      {editing ? (
        <TaskEditor
          task={editing}
          onClose={() => setEditing(undefined)}
          onSave={(change) => {
            if (Object.keys(change).length > 0) actions.change.mutate({ id: editing.id, ...change });
          }}
        />
      ) : null}
    </Stack>
  );
}

function Section({ title, tasks, row }: { title: string; tasks: readonly Task[]; row: (task: Task) => ReactNode }) {
  return (
    <section aria-label={title}>
      <Group gap="xs" mb={4}>
        <Title order={2} size="h5">
          {title}
        </Title>
        <Text size="sm" c="dimmed">
          {tasks.length}
        </Text>
      </Group>
      <Card withBorder p={0} component="ul" m={0}>
        {tasks.map(row)}
      </Card>
    </section>
  );
}

function QuickAdd({ busy, onAdd }: { busy: boolean; onAdd: (text: string) => Promise<unknown> }) {
  const [text, setText] = useState('');
  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (text.trim() === '') return;
    await onAdd(text.trim());
    setText('');
  }
  return (
    <form onSubmit={(event) => void submit(event).catch(() => {})}>
      <Group wrap="nowrap" align="flex-end">
        <TextInput
          flex={1}
          label="Add a task"
          placeholder="Call the dentist tomorrow 9am p1 #health"
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Button type="submit" loading={busy} leftSection={<Plus size={16} aria-hidden />}>
          Add
        </Button>
      </Group>
    </form>
  );
}
