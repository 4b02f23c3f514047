import { Button, Group, Modal, Select, Stack, TagsInput, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Task, TaskChange } from './api.ts';

interface TaskEditorProps {
  readonly task: Task;
  readonly onSave: (change: TaskChange) => void;
  readonly onClose: () => void;
}

/** The details of one task. Dates are typed as people say them; the server reads them. */
export function TaskEditor({ task, onSave, onClose }: TaskEditorProps) {
  const [title, setTitle] = useState(task.title);
  const [description, setDescription] = useState(task.description ?? '');
  const [due, setDue] = useState(task.due_date ?? '');
  const [priority, setPriority] = useState(task.priority);
  const [labels, setLabels] = useState([...task.labels]);

  function save(): void {
    onSave({
      ...(title === task.title ? {} : { title }),
      ...(description === (task.description ?? '') ? {} : { description: description || null }),
      ...(due === (task.due_date ?? '') ? {} : { due_date: due || null }),
      ...(priority === task.priority ? {} : { priority }),
      ...(labels.join('\n') === task.labels.join('\n') ? {} : { labels }),
    });
    onClose();
  }

  return (
    <Modal opened onClose={onClose} title="Edit task" centered>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <Stack>
          <TextInput
            label="Title"
            required
            maxLength={500}
            data-autofocus
            value={title}
            onChange={(event) => setTitle(event.currentTarget.value)}
          />
          <Textarea
            label="Description"
            autosize
            minRows={2}
            maxRows={8}
            maxLength={2000}
            value={description}
            onChange={(event) => setDescription(event.currentTarget.value)}
          />
          <TextInput
            label="Due"
            description={'A date or words, such as "next friday 5pm". Empty for none.'}
            value={due}
            onChange={(event) => setDue(event.currentTarget.value)}
          />
          <Select
            label="Priority"
            data={['low', 'medium', 'high']}
            allowDeselect={false}
            value={priority}
            onChange={(value) => setPriority((value ?? 'medium') as Task['priority'])}
          />
          <TagsInput label="Labels" value={labels} onChange={setLabels} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit">Save</Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
