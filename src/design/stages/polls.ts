import { UPLOAD_FORMATS } from '#kernel/formats'
import { type Reason, reason } from '#kernel/refusals/reason'
import { ofComponent } from './componentChecks'
import type { Component } from './components'
import type { FieldTypes } from './references'

/** The problems of the questions of a poll: it takes no files, since anybody can answer it (docs/polls.md). */
export const pollProblems = (components: readonly Component[], dataTypes: FieldTypes): Reason[] =>
  components
    .filter(({ dataType, isHidden }) => !isHidden && UPLOAD_FORMATS.has(dataTypes.get(dataType ?? '')?.format ?? ''))
    .map(({ title }) => ofComponent(title, reason('pollTakesNoFiles')))
