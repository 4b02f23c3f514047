import { Badge, Group, Stack, Text, UnstyledButton } from '@mantine/core';
import type { PlacedProblem } from './outline.ts';
import classes from './sops.module.css';

interface ProblemListProps {
  readonly problems: readonly PlacedProblem[];
  readonly onSelect?: (step: string) => void;
}

/** What the check found, each with where it stands; those about a step lead to it. */
export function ProblemList({ problems, onSelect }: ProblemListProps) {
  return (
    <Stack gap={6} role="list" aria-label="Problems">
      {problems.map((problem) => {
        const { step } = problem;
        const words = (
          <>
            <Group gap={6}>
              <Badge size="xs" variant="dot" color={problem.severity === 'error' ? 'red' : 'orange'}>
                {problem.severity}
              </Badge>
              <Text size="xs" c="dimmed">
                line {problem.line} · {problem.code}
              </Text>
            </Group>
            <Text size="sm">{problem.message}</Text>
          </>
        );
        return (
          <div key={`${problem.line} ${problem.col} ${problem.message}`} role="listitem">
            {step !== undefined && onSelect ? (
              <UnstyledButton className={classes['row'] ?? ''} onClick={() => onSelect(step)}>
                {words}
              </UnstyledButton>
            ) : (
              <div className={classes['row']}>{words}</div>
            )}
          </div>
        );
      })}
    </Stack>
  );
}
