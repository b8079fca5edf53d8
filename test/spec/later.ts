/** Operations of the specification that are not implemented yet. The list gets shorter until it is empty. */
export const later: readonly string[] = [
  'GET /trials/:trialId/consentDocuments',
  'POST /trials/:trialId/consentDocuments',
  'PATCH /trials/:trialId/consentDocuments/:documentId',
  'DELETE /trials/:trialId/consentDocuments/:documentId',
  'GET /trials/:trialId/consents',
]
