/** Refusals about the office of a trial: files, packs, randomisation, payments, monitoring. */
export const office = {
  notSeed: 'Must be 16 to 200 characters of ASCII, without line breaks.',
  notFieldKey: 'Must be a letter, then letters, digits and _, at most 64 characters.',
  notFields: 'Must be an object with a value for each field of the pack type.',
} as const
