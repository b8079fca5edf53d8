/** Refusals about what a study consists of: trials, forms, roles, sites. */
export const design = {
  notAnchorRule: 'Must have the type manual, participant_login, or stage_completion with stageId and stageRecurrence.',
  notStageStart:
    'Must have the type stage with stage, stageRecurrence and delay, or the type anchor with anchor and delay.',
  notCountryCode: 'Must be two capital letters, such as DE.',
  notTrialCode: 'Must be 2 to 100 characters, without space around them.',
  importedFault: '“{name}”: {field}: {problem}',
} as const
