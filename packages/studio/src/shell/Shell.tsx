import {
  ActionIcon,
  AppShell,
  Burger,
  Group,
  NavLink,
  Text,
  Tooltip,
  useComputedColorScheme,
  useMantineColorScheme,
  VisuallyHidden,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { Moon, Search, Sun } from 'lucide-react';
import { useServerInfo } from '../api/info.ts';
import { ConfirmDialog } from '../elements/confirm.tsx';
import { areas } from './areas.ts';
import { CommandPalette, openCommandPalette } from './CommandPalette.tsx';

/** The frame around every screen: navigation, command palette, light or dark. */
export function Shell() {
  const [menuOpen, menu] = useDisclosure(false);
  const { pathname } = useLocation();
  const { data: info } = useServerInfo();
  const served = new Set(info?.toolsets.map((toolset) => toolset.name));
  const shown = areas.filter((area) => area.toolset === undefined || info === undefined || served.has(area.toolset));

  return (
    <AppShell
      header={{ height: 52 }}
      navbar={{ width: 208, breakpoint: 'sm', collapsed: { mobile: !menuOpen } }}
      padding="md"
    >
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger opened={menuOpen} onClick={menu.toggle} hiddenFrom="sm" size="sm" aria-label="Navigation" />
            <img src="/mark.svg" alt="" width={26} height={26} />
            <Text fw={650}>Waymark</Text>
          </Group>
          <Group gap="xs" wrap="nowrap">
            <Tooltip label="Search and commands (Ctrl K)">
              <ActionIcon variant="default" size="lg" onClick={openCommandPalette} aria-label="Search and commands">
                <Search size={18} />
              </ActionIcon>
            </Tooltip>
            <ColorSchemeToggle />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" component="nav" aria-label="Areas">
        {shown.map(({ path, label, icon: Icon }) => {
          const active = path === '/' ? pathname === '/' : pathname.startsWith(path);
          return (
            <NavLink
              key={path}
              renderRoot={(props) => <Link to={path} {...props} />}
              label={label}
              leftSection={<Icon size={18} aria-hidden />}
              active={active}
              aria-current={active ? 'page' : undefined}
              onClick={menu.close}
            />
          );
        })}
        <Text size="xs" c="dimmed" mt="auto" p="xs">
          {info ? `Version ${info.version}` : ''}
        </Text>
      </AppShell.Navbar>
      <AppShell.Main aria-label={shown.findLast((area) => pathname.startsWith(area.path))?.label ?? 'Waymark'}>
        <Outlet />
      </AppShell.Main>
      <CommandPalette areas={shown} />
      <ConfirmDialog />
    </AppShell>
  );
}

function ColorSchemeToggle() {
  const { setColorScheme } = useMantineColorScheme();
  const scheme = useComputedColorScheme('light');
  const other = scheme === 'dark' ? 'light' : 'dark';
  return (
    <Tooltip label={`Switch to ${other}`}>
      <ActionIcon variant="default" size="lg" onClick={() => setColorScheme(other)}>
        {scheme === 'dark' ? <Sun size={18} aria-hidden /> : <Moon size={18} aria-hidden />}
        <VisuallyHidden>Switch to {other}</VisuallyHidden>
      </ActionIcon>
    </Tooltip>
  );
}
