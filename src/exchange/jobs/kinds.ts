import type { Work } from '#jobs/work'

/** Every kind of work that runs on a worker thread, loaded when it is first asked for: an export needs no reader of PDFs. */
export const kinds: Record<string, () => Promise<Work>> = {
  askForQueries: async () => (await import('./askForQueries')).askForQueries,
  exportForm: async () => (await import('./exportForm')).exportForm,
  exportResponses: async () => (await import('./exportResponses')).exportResponses,
  exportStructure: async () => (await import('./exportStructure')).exportStructure,
  importInstrument: async () => (await import('./importInstrument')).importInstrument,
  readProtocol: async () => (await import('./readProtocol')).readProtocol,
  studyRecord: async () => (await import('./studyRecord')).studyRecord,
}
