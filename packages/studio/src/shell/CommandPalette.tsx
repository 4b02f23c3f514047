import { Spotlight, spotlight } from '@mantine/spotlight';
import { useNavigate } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import type { Area } from './areas.ts';

export const openCommandPalette = spotlight.open;

/** Ctrl+K: go anywhere by typing. */
export function CommandPalette({ areas }: { areas: readonly Area[] }) {
  const navigate = useNavigate();
  const actions = areas.map(({ path, label, icon: Icon }) => ({
    id: path,
    label: `Go to ${label}`,
    leftSection: <Icon size={18} aria-hidden />,
    onClick: () => void navigate({ to: path }),
  }));
  return (
    <Spotlight
      actions={actions}
      shortcut={['mod + K', '/']}
      nothingFound="Nothing found"
      highlightQuery
      searchProps={{
        leftSection: <Search size={18} aria-hidden />,
        placeholder: 'Go to…',
        'aria-label': 'Search commands',
      }}
    />
  );
}
