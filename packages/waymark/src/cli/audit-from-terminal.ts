import { silentLogger } from '../kit/context.ts';
import type { AuditEntry } from '../server/auth/audit.ts';
import type { Store } from '../store/index.ts';

/** What the operator did on the command line belongs into the audit log too. */
export async function auditFromTerminal(store: Store, entry: AuditEntry): Promise<void> {
  const { Audit } = await import('../server/auth/audit.ts');
  const audit = new Audit(async () => store, silentLogger);
  audit.record({ client: 'terminal', ...entry });
  await audit.flush();
}
