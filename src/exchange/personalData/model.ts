/** Requests about what is held about one person (docs/participants.md, "What is held about a person"). */
import { id, instant, shape, withDescription, words } from '#wire/words'

export const Erasure = shape('PersonalInformationErasure', {
  reason: withDescription('The reason, which the audit trail keeps', words(1, 500)),
})

export const Erased = shape('PersonalInformationErased', { erasedAt: instant() })

export const ReportStarted = shape('PersonalDataReportJob', { jobId: id() })
