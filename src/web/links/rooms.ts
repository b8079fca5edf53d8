/** The pages behind links by their addresses: the script chooses one by them, and the server what the page may do. */
export const rooms = {
  inPerson: /^\/app\/consent-session\/[^/]+$/,
  withdraw: /^\/app\/consent\/[^/]+\/[^/]+\/withdraw$/,
  remote: /^\/app\/consent\/[^/]+\/[^/]+$/,
  review: /^\/app\/file-review\/[^/]+$/,
  meeting: /^\/app\/meeting\/[^/]+$/,
  poll: /^\/poll\/[^/]+\/[^/]+(\/[^/]+)?$/,
  stage: /^\/app\/stage\/[^/]+$/,
} as const

export type Room = keyof typeof rooms

/** The room of an address; undefined for that of a link that was cut. */
export const roomAt = (path: string): Room | undefined =>
  (Object.keys(rooms) as Room[]).find((room) => rooms[room].test(path))
