import {
  Braces,
  CirclePlay,
  CircleStop,
  Clock,
  GitFork,
  type LucideIcon,
  Merge,
  Repeat,
  Split,
  SquareFunction,
  UserCheck,
  Workflow,
  Wrench,
} from 'lucide-react';

export interface Look {
  readonly icon: LucideIcon;
  readonly word: string;
}

/** The picture and the word for each kind of node. */
export const nodeLooks: Readonly<Record<string, Look>> = {
  entry: { icon: CirclePlay, word: 'Entry' },
  exit: { icon: CircleStop, word: 'Exit' },
  mcp: { icon: Wrench, word: 'Tool' },
  transform: { icon: SquareFunction, word: 'Transform' },
  switch: { icon: GitFork, word: 'Switch' },
  parallel: { icon: Split, word: 'Parallel' },
  join: { icon: Merge, word: 'Join' },
  foreach: { icon: Repeat, word: 'For each' },
  call: { icon: Workflow, word: 'Call' },
  wait: { icon: Clock, word: 'Wait' },
  approve: { icon: UserCheck, word: 'Approve' },
};

export const unknownLook = { icon: Braces, word: 'Node' };

export type NodeState = 'idle' | 'running' | 'done' | 'failed' | 'paused' | 'waiting';

export const stateWords: Readonly<Record<NodeState, string>> = {
  idle: '',
  running: 'running',
  done: 'done',
  failed: 'failed',
  paused: 'paused here',
  waiting: 'waits for an answer',
};
