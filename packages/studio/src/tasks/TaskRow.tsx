import { ActionIcon, Badge, Checkbox, Group, Text, Tooltip } from '@mantine/core';
import { CalendarClock, Flag, Pencil, Repeat, Trash2 } from 'lucide-react';
import type { Task } from './api.ts';
import classes from './TaskRow.module.css';
import { dueWords, sectionOf } from './sections.ts';

interface TaskRowProps {
  readonly task: Task;
  readonly now: Date;
  readonly onToggle: () => void;
  readonly onEdit: () => void;
  readonly onRemove: () => void;
}

export function TaskRow({ task, now, onToggle, onEdit, onRemove }: TaskRowProps) {
  const late = !task.completed && sectionOf(task, now) === 'overdue';
  return (
    <Group className={classes['row'] ?? ''} wrap="nowrap" gap="sm" component="li">
      <Checkbox
        checked={task.completed}
        onChange={onToggle}
        aria-label={`${task.completed ? 'Reopen' : 'Complete'} ${task.title}`}
      />
      <button type="button" className={classes['title']} onClick={onEdit} aria-label={`Edit ${task.title}`}>
        <Text component="span" td={task.completed ? 'line-through' : 'none'} c={task.completed ? 'dimmed' : ''}>
          {task.title}
        </Text>
        <Group component="span" gap={8} mt={2}>
          {task.due_date ? (
            <Text component="span" size="xs" c={late ? 'red' : 'dimmed'}>
              <CalendarClock size={12} aria-hidden /> {dueWords(task.due_date, now)}
              {late ? ' (overdue)' : ''}
            </Text>
          ) : null}
          {task.priority === 'medium' ? null : (
            <Text component="span" size="xs" c={task.priority === 'high' ? 'orange' : 'dimmed'}>
              <Flag size={12} aria-hidden /> {task.priority}
            </Text>
          )}
          {task.recurrence ? (
            <Text component="span" size="xs" c="dimmed">
              <Repeat size={12} aria-hidden /> repeats
            </Text>
          ) : null}
          {task.labels.map((label) => (
            <Badge key={label} component="span" size="xs" variant="light" color="gray" tt="none">
              {label}
            </Badge>
          ))}
        </Group>
      </button>
      <Group gap={2} wrap="nowrap" className={classes['actions'] ?? ''}>
        <Tooltip label="Edit">
          <ActionIcon variant="subtle" color="gray" onClick={onEdit} aria-label={`Edit the details of ${task.title}`}>
            <Pencil size={15} />
          </ActionIcon>
        </Tooltip>
        <Tooltip label="Delete">
          <ActionIcon variant="subtle" color="red" onClick={onRemove} aria-label={`Delete ${task.title}`}>
            <Trash2 size={15} />
          </ActionIcon>
        </Tooltip>
      </Group>
    </Group>
  );
}
