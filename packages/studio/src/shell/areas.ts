import {
  BookOpen,
  GraduationCap,
  House,
  ListChecks,
  type LucideIcon,
  MessagesSquare,
  Route,
  SquareTerminal,
  Workflow,
  History,
  Inbox,
} from 'lucide-react';

export interface Area {
  readonly path: string;
  readonly label: string;
  readonly icon: LucideIcon;
  /** Shown only where this toolset is served. */
  readonly toolset?: string;
}

/** The areas of the studio, in the order of the navigation. */
export const areas: readonly Area[] = [
  { path: '/', label: 'Home', icon: House },
  { path: '/chat', label: 'Chat', icon: MessagesSquare, toolset: 'tasks' },
  { path: '/tasks', label: 'Tasks', icon: ListChecks, toolset: 'tasks' },
  { path: '/graphs', label: 'Graphs', icon: Workflow, toolset: 'graph' },
  { path: '/runs', label: 'Runs', icon: History, toolset: 'graph' },
  { path: '/inbox', label: 'Inbox', icon: Inbox, toolset: 'graph' },
  { path: '/sops', label: 'Procedures', icon: Route, toolset: 'sop' },
  { path: '/books', label: 'Books', icon: BookOpen, toolset: 'hnpx' },
  { path: '/learn', label: 'Learning', icon: GraduationCap, toolset: 'sage' },
  { path: '/console', label: 'Console', icon: SquareTerminal },
];
