/** Requests about what is held about one person (docs/participants.md, "What is held about a person"). */
import { id, instant, orNull, shape, text, withDescription } from '#wire/schema'

export const Erasure = shape('PersonalInformationErasure', {
  reason: withDescription('The reason, which the audit trail keeps', text(1, 500)),
})

export const Erased = shape('PersonalInformationErased', {
  erasedAt: withDescription('Null: another person must confirm it', orNull(instant())),
})

export const ReportStarted = shape('PersonalDataReportJob', { jobId: id() })
