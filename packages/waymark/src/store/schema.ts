import type { Generated } from 'kysely';

/**
 * The tables every part of the product may rely on. Toolsets add their own with `db.withTables<…>()`,
 * which takes a `type`, not an `interface`.
 */
export interface CoreTables {
  users: {
    id: string;
    created_at: Generated<Date>;
    time_zone: string | null;
  };
}
