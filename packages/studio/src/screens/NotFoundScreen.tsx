import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Compass } from 'lucide-react';
import { EmptyState } from '../elements/EmptyState.tsx';

export function NotFoundScreen() {
  return (
    <EmptyState
      icon={Compass}
      order={1}
      title="There is nothing here"
      action={<Anchor renderRoot={(props) => <Link to="/" {...props} />}>Back home</Anchor>}
    >
      The address leads nowhere. It may have been removed since.
    </EmptyState>
  );
}
