import { UPLOAD_FORMATS } from '#kernel/formats'
import type { FieldTypes } from './componentChecks'
import type { Component } from './components'

/** The problems of the questions of a poll: it takes no files, since anybody can answer it (docs/polls.md). */
export const pollProblems = (components: readonly Component[], dataTypes: FieldTypes): string[] =>
  components
    .filter(({ dataType, isHidden }) => !isHidden && UPLOAD_FORMATS.has(dataTypes.get(dataType ?? '')?.format ?? ''))
    .map(
      ({ title }) =>
        `“${title}”: A poll takes no files, since anybody with its link could send them. Ask for files in a form of the app, or by a stage link.`,
    )
