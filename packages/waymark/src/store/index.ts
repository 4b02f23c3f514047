export { StoreOpenError, StoreUnavailableError } from './errors.ts';
export { openStore, type StoreOptions } from './open-store.ts';
export { type Removal, removeUser } from './remove-user.ts';
export type { CoreTables } from './schema.ts';
export type { Store } from './store.ts';
export { exportUserData } from './user-data.ts';
