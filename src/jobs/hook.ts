/** What an operation needs of a layer above its own: it names it, and src/start/hooks.ts says where it is. */
export type Hook<F> = {
  name: string
  /** Only its type counts: that of the function. */
  is?: F
}
