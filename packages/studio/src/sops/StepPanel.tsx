import {
  Badge,
  Blockquote,
  Button,
  Group,
  Stack,
  Text,
  Textarea,
  TextInput,
  Title,
  UnstyledButton,
} from '@mantine/core';
import { useState } from 'react';
import { useServerInfo } from '../api/info.ts';
import { type Procedure, type Step, type StepEdge, useEdit } from './api.ts';
import { kindOf, type PlacedProblem, stepLooks } from './outline.ts';
import { ProblemList } from './ProblemList.tsx';
import classes from './sops.module.css';

interface StepPanelProps {
  readonly path: string;
  readonly hash: string;
  readonly procedure: Procedure;
  readonly step: Step;
  readonly problems: readonly PlacedProblem[];
  readonly onSelect: (step: string) => void;
}

/** One step: what it says, what the agent is told there, where it leads; its words can be changed. */
export function StepPanel({ path, hash, procedure, step, problems, onSelect }: StepPanelProps) {
  const { data: info } = useServerInfo();
  const edit = useEdit(path, hash);
  const told = procedure.prompts[step.id];
  const readOnly = info?.readOnly ?? true;
  const exits = procedure.edges.filter(({ from }) => from === step.id);
  const entries = procedure.edges.filter(({ to }) => to === step.id);
  return (
    <Stack gap="sm" pr="md">
      <div>
        <Title order={2} size="h4">
          {step.id}
        </Title>
        <Text size="sm" c="dimmed">
          {stepLooks[kindOf(step, procedure)]?.word} · line {step.line}
          {step.group ? ` · in ${step.group}` : ''}
        </Text>
      </div>
      {problems.length > 0 ? <ProblemList problems={problems} /> : null}
      <Editable
        label="Label"
        saved={step.description}
        readOnly={readOnly}
        pending={edit.isPending}
        onSave={(label, onSuccess) => edit.mutate({ node: step.id, label }, { onSuccess })}
      />
      <Editable
        label="Instructions"
        hint="What the agent is told when it arrives here."
        saved={told?.prompt ?? ''}
        readOnly={readOnly}
        pending={edit.isPending}
        rows={4}
        onSave={(prompt, onSuccess) => edit.mutate({ node: step.id, prompt }, { onSuccess })}
      />
      {told?.tools && told.tools.length > 0 ? (
        <Section title="Tools">
          <Group gap={6}>
            {told.tools.map((tool) => (
              <Badge key={tool} variant="default" tt="none">
                {tool}
              </Badge>
            ))}
          </Group>
        </Section>
      ) : null}
      {exits.length > 0 ? (
        <Section title="Leads to">
          {exits.map((edge) => (
            <Exit
              key={`${edge.to} ${edge.condition ?? ''}`}
              edge={edge}
              readOnly={readOnly}
              pending={edit.isPending}
              onSelect={onSelect}
              onSave={(text) =>
                edit.mutate({
                  from: edge.from,
                  to: edge.to,
                  condition: edge.condition,
                  label: text === '' ? null : text,
                })
              }
            />
          ))}
        </Section>
      ) : null}
      {entries.length > 0 ? (
        <Section title="Comes from">
          {entries.map(({ from, condition }) => (
            <Text key={`${from} ${condition ?? ''}`} size="sm">
              <UnstyledButton className={classes['link'] ?? ''} onClick={() => onSelect(from)}>
                {from}
              </UnstyledButton>
              {condition === null ? '' : ` · ${condition}`}
            </Text>
          ))}
        </Section>
      ) : null}
      {told?.examples && told.examples.length > 0 ? (
        <Section title="Examples">
          {told.examples.map(({ user, agent }) => (
            <Blockquote key={`${user} ${agent}`} p="sm" m={0}>
              <Text size="sm">
                <strong>User</strong> {user}
              </Text>
              <Text size="sm">
                <strong>Agent</strong> {agent}
              </Text>
            </Blockquote>
          ))}
        </Section>
      ) : null}
    </Stack>
  );
}

function Section({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <Stack gap={6}>
      <Title order={3} size="sm">
        {title}
      </Title>
      {children}
    </Stack>
  );
}

interface EditableProps {
  readonly label: string;
  readonly hint?: string;
  readonly saved: string;
  readonly readOnly: boolean;
  readonly pending: boolean;
  readonly rows?: number;
  readonly onSave: (value: string, onSuccess: () => void) => void;
}

/** What was typed stays until it is saved or taken back, also when the file changes meanwhile. */
function Editable({ label, hint, saved, readOnly, pending, rows = 1, onSave }: EditableProps) {
  const [draft, setDraft] = useState<string>();
  const value = draft ?? saved;
  const forget = () => setDraft(undefined);
  const changed = value.trim() !== saved.trim() && value.trim() !== '';
  return (
    <Stack gap={6}>
      <Textarea
        label={label}
        description={hint}
        autosize
        minRows={rows}
        maxRows={18}
        readOnly={readOnly}
        value={value}
        onChange={(event) => setDraft(event.currentTarget.value)}
      />
      {changed ? (
        <Group gap="xs">
          <Button size="xs" loading={pending} onClick={() => onSave(value, forget)}>
            Save the {label.toLowerCase()}
          </Button>
          <Button size="xs" variant="subtle" onClick={forget}>
            Undo
          </Button>
        </Group>
      ) : null}
    </Stack>
  );
}

interface ExitProps {
  readonly edge: StepEdge;
  readonly readOnly: boolean;
  readonly pending: boolean;
  readonly onSelect: (step: string) => void;
  readonly onSave: (condition: string) => void;
}

function Exit({ edge, readOnly, pending, onSelect, onSave }: ExitProps) {
  const [text, setText] = useState(edge.condition ?? '');
  return (
    <Group gap="xs" wrap="nowrap" align="center">
      <TextInput
        flex={1}
        size="xs"
        aria-label={`When it goes to ${edge.to}`}
        placeholder="always"
        readOnly={readOnly}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {text === (edge.condition ?? '') ? null : (
        <Button size="xs" loading={pending} onClick={() => onSave(text.trim())}>
          Save
        </Button>
      )}
      <UnstyledButton className={classes['link'] ?? ''} onClick={() => onSelect(edge.to)}>
        {edge.to}
      </UnstyledButton>
    </Group>
  );
}
