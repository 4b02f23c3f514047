/** When and where a message was said: what its dates are reckoned from. */
export interface DateContext {
  readonly now: Date;
  readonly zone: string;
}
