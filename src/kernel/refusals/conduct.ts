/** Refusals about what is done in a study: participants, responses, consents, messages. */
export const conduct = {
  notGroupIds: 'Must be the _ids of groups, separated by commas.',
  notPin: 'Must be 4 to 8 digits.',
  notMimeType: 'Must be a MIME type such as application/pdf.',
  notFormKey: 'Must be one word of letters, digits and hyphens.',
  answersUnwrapped: 'The body is keyed by data type `_id`, without `response` around it.',
  notAnswer: 'Must be an object with a value, such as the number 6 under "value".',
  notAnswers: 'Must be an object keyed by data type `_id`, each with an object that has a "value".',
  answersMissing:
    'Missing data for required field: the answers, as "response" with an object keyed by data type `_id`.',
  notAnswersBody: 'The body must be an object keyed by data type `_id`, each with an object that has a "value".',
} as const
