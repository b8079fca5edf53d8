/** The texts of the withdrawal of a consent in English. */
export const withdraw = {
  'withdraw.title': 'Withdraw your consent',
  'withdraw.lead':
    'You can withdraw at any time, without giving a reason, and without any disadvantage. Thank you for what you have done for the study.',
  'withdraw.how': 'Enter the address that you confirmed when you gave your consent. We send a code there.',
  'withdraw.help':
    'If you did not confirm an address, or have it no more, please tell the study team that you want to withdraw.',
  'withdraw.sent':
    'If somebody gave their consent with {address}, a code is on its way there. It works for 10 minutes.',
  'withdraw.spokenNote':
    'If no message arrives, the study sends none by itself: please ask the study team for the code of {address}.',
  'withdraw.none': 'No consent was given with this address',
  'withdraw.noneNote': 'Perhaps you used another one. The study team can help you.',
  'withdraw.which': 'Which consent do you want to withdraw?',
  'withdraw.yours': 'Your consents',
  'withdraw.given': '{name}, given on {day}',
  'withdraw.givenOn': 'Given on {day}',
  'withdraw.before': 'Withdrawn on {day}',
  'withdraw.reason': 'Would you like to tell us why?',
  'withdraw.reasonNote': 'You need not. The study team reads it.',
  'withdraw.data': 'What shall become of your data?',
  'withdraw.keep': 'Keep them',
  'withdraw.keepNote': 'The study goes on using what you have given until now.',
  'withdraw.erase': 'Erase what shows who I am',
  'withdraw.eraseNote':
    'Your name, your addresses and other personal details are erased. Your answers stay, without them.',
  'withdraw.delete': 'Delete my answers',
  'withdraw.deleteNote': 'The answers that you have given are deleted.',
  'withdraw.still': 'You gave another consent to this study. Withdraw it, too, before your data can go.',
  'withdraw.send': 'Withdraw my consent',
  'withdraw.choose': 'Please choose at least one.',
  'withdraw.all': 'You have withdrawn everything already',
  'withdraw.done': 'Your consent is withdrawn',
  'withdraw.doneNote':
    'Thank you for the time and the trust that you gave to the study. The study team knows of it now, and tells you what happens next. You can close this page.',
  'withdraw.ended': 'This took too long',
  'withdraw.endedNote': 'For your safety, the page works for an hour. Nothing was withdrawn. Please begin again.',
} as const
