/** The id of the process that started this one. `main.ts` imports this file first: the parent may end while the rest is loaded. */
export const firstParent = process.ppid
