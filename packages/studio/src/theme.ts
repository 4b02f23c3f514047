import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from '@mantine/core';

const trail: MantineColorsTuple = [
  '#ecf1ff',
  '#d6e0fb',
  '#abbff2',
  '#7d9cea',
  '#567ee3',
  '#3e6bdf',
  '#2455c3',
  '#1f4db0',
  '#15449d',
  '#003a8a',
];

export const theme = createTheme({
  primaryColor: 'trail',
  primaryShade: { light: 6, dark: 6 },
  colors: { trail },
  defaultRadius: 'md',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", Menlo, Consolas, monospace',
  headings: { fontWeight: '650' },
  cursorType: 'pointer',
});

/** Quiet text that still has enough contrast to be read. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: { '--mantine-color-dimmed': '#5b6270', '--mantine-color-placeholder': '#6b7280' },
  dark: {
    '--mantine-color-dimmed': '#a9b0bd',
    '--mantine-color-placeholder': '#9aa1ae',
    '--mantine-color-anchor': 'var(--mantine-color-trail-2)',
  },
});
