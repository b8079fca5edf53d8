/** Refusals about the server itself, its jobs and its test clock. */
export const server = {
  notFileName: 'Must be letters, digits, ., _ and - only.',
  readingTakesTime:
    'Reading takes more than {limit} s of processor time, which is the limit. Send a smaller file, or a part of it.',
  readingTakesMemory:
    'Reading takes more than {limit} MB of memory, which is the limit. Send a smaller file, or a part of it.',
  readingStoppedAt: '{problem} The last step was: {step}',
  readingStopped:
    'Reading was stopped by the machine, most likely because it has too little memory. Send a smaller file, or a part of it.',
  aiUnanswered: 'The AI endpoint gave no answer. {detail}',
  aiStatus: 'The AI endpoint answered with status {status}.',
  aiCutShort: 'The AI endpoint gave no whole answer. {detail}',
  aiOtherAnswer: 'The response of the AI endpoint does not have the form of chat completions.',
  cancelled: 'It was cancelled.',
  tooMuchWaits: 'Too much of this work waits already: try again later.',
  metricsClosed: 'The metrics are for this machine, or need TRIALBOX_METRICS_TOKEN.',
  nowOrAdvance: 'Give either now or advance.',
  clockInputMissing: 'Give now, advance or freeze.',
  clockBackwards: 'The clock never runs backwards: it is {now}.',
  clockEnds: 'The clock ends at {latest}.',
  clockIsBehind: 'The clock of the server says {now}, which is before {newest}, when something was written last.',
} as const
