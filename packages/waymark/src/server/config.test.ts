import { expect, test } from 'vitest';
import { z } from 'zod';
import { configSchema } from './config.ts';

test('the published schema of waymark.yaml is the one that checks it (vitest -u writes it)', async () => {
  const schema = z.toJSONSchema(configSchema, { io: 'input' });
  const published = { ...schema, title: 'waymark.yaml', description: 'Settings of a Waymark server' };
  await expect(`${JSON.stringify(published, null, 2)}\n`).toMatchFileSnapshot('../../assets/waymark.schema.json');
});
