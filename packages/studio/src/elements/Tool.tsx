import { ActionIcon, Tooltip } from '@mantine/core';
import type { LucideIcon } from 'lucide-react';

interface ToolProps {
  readonly label: string;
  readonly icon: LucideIcon;
  readonly disabled?: boolean;
  readonly onClick: () => void;
}

/** A button that is a picture, with its word on hover and for screen readers. */
export function Tool({ label, icon: Icon, disabled = false, onClick }: ToolProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon variant="default" size="lg" disabled={disabled} onClick={onClick} aria-label={label}>
        <Icon size={16} />
      </ActionIcon>
    </Tooltip>
  );
}
