import { Button, Group, Modal, Text } from '@mantine/core';
import { create } from 'zustand';

interface Question {
  readonly title: string;
  readonly text: string;
  readonly action: string;
  readonly onConfirm: () => void;
}

const useQuestion = create<{ question: Question | undefined }>(() => ({ question: undefined }));

/** Asks before something that cannot be had back. */
export function modalConfirm(question: Question): void {
  useQuestion.setState({ question });
}

/** Shows the question of `modalConfirm`; stands once in the frame. */
export function ConfirmDialog() {
  const { question } = useQuestion();
  const close = () => useQuestion.setState({ question: undefined });
  return (
    <Modal opened={question !== undefined} onClose={close} title={question?.title ?? ''} centered>
      <Text>{question?.text}</Text>
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={close} data-autofocus>
          Cancel
        </Button>
        <Button
          color="red"
          onClick={() => {
            question?.onConfirm();
            close();
          }}
        >
          {question?.action}
        </Button>
      </Group>
    </Modal>
  );
}
