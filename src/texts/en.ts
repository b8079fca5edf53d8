import { accountTexts } from '#texts/accounts/en'
import { blindingTexts } from '#texts/blinding/en'
import { consentTexts } from '#texts/consents/en'
import { deletionTexts } from '#texts/deletions/en'
import { masterFileTexts } from '#texts/masterFile/en'
import { siteTexts } from '#texts/sites/en'

/**
 * The texts that the service writes to people, in English. The other languages have the same keys and placeholders; a test
 * compares them. A key that ends in `.one` or `.other` is chosen by the number in `{count}`.
 */
export const en = {
  // To participants. They go out by SMS too: see `smsLimits`.
  'signInLink.body': 'Your personal link to {trial}: {url}\nIt works once, until {date}. Please do not pass it on.',
  'verificationCode.body':
    '{code} is your code for {trial}. It is valid for {minutes} minutes. Please do not pass it on.',
  'behindSchedule.body.one': '{forms} is waiting for your answers.',
  'behindSchedule.body.other': '{forms} are waiting for your answers.',
  'attachments.one': 'A file belongs to this message: {url}',
  'attachments.other': '{count} files belong to this message: {url}',
  'incentive.body': 'You have received {amount} ({brand}) from {trial}. The code is in the app of the study.',
  'appointment.invitation.body': 'You are invited to the meeting “{title}” on {when}.',
  'appointment.reminder.body': 'Reminder: “{title}” is on {when}.',
  'appointment.moved.body': '“{title}” was moved. It is now on {when}.',
  'appointment.cancelled.body': '“{title}” on {when} was cancelled.',
  'appointment.join': ' Join: {url}',
  'wearable.connect.body': 'Please connect your {service} account for {trial}: {url}',
  'wearable.reconnect.body': 'No data of {service} arrives any more. Please connect your account again: {url}',

  // To participants in the app, and in their calendar.
  'welcome.body':
    'Welcome to {trial}. You can write to the study team here, and you find here what they and the study send you. ' +
    'The team may not read your message at once: in an emergency, call the emergency services.',
  'calendar.openUntil': 'Open until {when}.',

  // Parts of other texts.
  quoted: '“{name}”',
  erased: 'Erased.',
  'more.one': '{count} more',
  'more.other': '{count} more',

  // To the team of a trial.
  'taskAssigned.subject': '{trial}: a task for you',
  'taskAssigned.body': '{user} assigned a task to you.\n\nStudy: {trial}\nTask: {task}\n',
  'taskAssigned.due': 'Due: {due} UTC\n',
  'fileAssigned.subject': '{trial}: a file for you',
  'fileAssigned.body': '{user} assigned a file of the trial master file to you.\n\nStudy: {trial}\nFile: {file}\n',
  'fileApproval.subject': '{trial}: please review “{file}”',
  'fileApproval.body':
    '{user} asks you to approve or reject a document.\n\nStudy: {trial}\nFile: {file}, version {number}\n\n{message}Open it here until {when} UTC: {url}\n\n' +
    'The link is for you alone.\n',
  'fileReviewed.subject': '{trial}: “{file}” was reviewed',
  'fileReviewed.approved':
    'All approvers have approved the document.\n\nStudy: {trial}\nFile: {file}, version {number}\n',
  'fileReviewed.rejected':
    '{approver} rejected the document.\n\nStudy: {trial}\nFile: {file}, version {number}\nComment: {comment}\n',
  'submission.subject': '{trial}: “{form}” of participant {participant}',
  'submission.attention': 'A submission calls for your attention.',
  'submission.unseen':
    '\n\nThe participant may not have seen this message: their answers arrived after they had left the shared tablet. Please tell them.',
  'submission.about': '\n\nStudy: {trial}\nParticipant: {participant}\nForm: {form}\n',
  'queryAssigned.subject.one': '{trial}: a query for you',
  'queryAssigned.subject.other': '{trial}: {count} queries for you',
  'queryMessage.subject': '{trial}: a new message on a query',
  'query.study': 'Study: {trial}\n',
  'query.form': 'Participant {participant}, form “{form}”\n',
  'query.unallocated': 'Response of nobody yet, form “{form}”\n',
  'incentivesWait.subject': '{trial}: payments to participants wait',
  'incentivesWait.body':
    'Payments for a completed form wait, because the wallet or the codes are used up. They are made as soon as there is more.\n\nStudy: {trial}\nBrand: {brand}\nAmount: {amount}\n',
  'giftCardRefused.subject': '{trial}: the gateway refused a gift card',
  'giftCardRefused.body':
    'The gateway refused a gift card for a participant. The wallet has its money back, and the participant got nothing. Correct what it says and give the incentive again. You are told of this once a day for each brand: the list of incentives has all that failed.\n\nStudy: {trial}\nBrand: {brand}\nAmount: {amount}\n{reason}\n',
  'newMessage.subject': '{trial}: a message from participant {participant}',
  'newMessage.body': 'Study: {trial}\nParticipant: {participant}\n',
  'heldEntries.subject.one': '{trial}: an answer of a participant waits for a decision',
  'heldEntries.subject.other': '{trial}: {count} answers of participants wait for a decision',
  'heldEntries.body':
    'The study could not take them as they were sent, for example because the form had closed. They wait until the team enters or refuses them.\n\nStudy: {trial}\nParticipants: {participants}\n',
  ...blindingTexts,
  'siteMessages.subject.one': '{trial}: new messages on the board of {sites}',
  'siteMessages.subject.other': '{trial}: new messages on the boards of {count} sites',
  'siteMessages.body': 'Study: {trial}\nSites: {sites}\n',

  'webhookDisabled.subject': '{trial}: the webhook “{webhook}” is disabled',
  'webhookDisabled.failing':
    'Study: {trial}\n\nNothing could be delivered to the webhook “{webhook}” for five days, so it is disabled: its receiver is no longer told of events. The log of its deliveries says why. When the receiver works again, enable the webhook and let it send what was missed.\n',
  'webhookDisabled.gone':
    'Study: {trial}\n\nThe receiver of the webhook “{webhook}” answered that it is gone for good (410), so the webhook is disabled: the receiver is no longer told of events. Enable the webhook again if this was a mistake.\n',
  'appointment.staff.invitation.subject': '{trial}: a meeting with a participant',
  'appointment.staff.reminder.subject': '{trial}: reminder of an appointment',
  'appointment.staff.moved.subject': '{trial}: an appointment was moved',
  'appointment.staff.cancelled.subject': '{trial}: an appointment was cancelled',
  'appointment.staff.body': 'Study: {trial}\nParticipant: {participant}\nAppointment: {title}\nTime: {when}\n',
  'appointment.staff.join': 'Join: {url}\n',
  'calendar.closes': '{name} closes',
  'calendar.more.meeting': 'More meetings: see the schedule',
  'calendar.more.event': 'More events: see the schedule',
  'calendar.more.task': 'More tasks: see the schedule',
  'calendar.more.window': 'More closing windows: see the schedule',
  'calendar.more.visit': 'More visits: see the schedule',

  // To the team: what automatic queries ask, in the language of the trial.
  'automaticQuery.unit': '“{name}” is {value}. It may have been entered {slip}. Please check it with the source.',
  'automaticQuery.participantRange':
    '“{name}” is {value}, which is far from this participant’s earlier values. Please check it with the source.',
  'automaticQuery.trialRange':
    '“{name}” is {value}, which is far outside what is usual in this study. Please check it with the source.',
  'automaticQuery.higher': '“{name}” is higher than “{other}”. Please check both with the source.',
  'automaticQuery.denied':
    '“{name}” was answered with no, yet “{other}” says otherwise. Please check both with the source.',
  'automaticQuery.changed': '“{name}” was answered differently before. Please check both with the source.',
  'automaticQuery.before': '“{name}” is before “{other}”. Please check both with the source.',
  'automaticQuery.beforeBirth': '“{name}” is before birth. Please check both with the source.',
  'automaticQuery.afterDeath': '“{name}” is after death. Please check both with the source.',
  'automaticQuery.beforeEarlier':
    '“{name}” is before an earlier occurrence’s ({occurrence}). Please check both with the source.',
  'automaticQuery.afterLater':
    '“{name}” is after a later occurrence’s ({occurrence}). Please check both with the source.',
  'automaticQuery.constraint': '{constraint} Please check with the source.',
  'automaticQuery.rule': '“{name}”: the answer does not fit the rule {rule}. Please check with the source.',
  'automaticQuery.instruction':
    '{names}: the answers are against this study’s rule “{rule}”. Please check with the source.',
  'automaticQuery.height': '{name} (height)',
  'automaticQuery.weight': '{name} (weight)',
  'automaticQuery.slip.pounds': 'in pounds instead of kilograms',
  'automaticQuery.slip.kilograms': 'in kilograms instead of pounds',
  'automaticQuery.slip.inches': 'in inches instead of centimetres',
  'automaticQuery.slip.centimetres': 'in centimetres instead of inches',
  'automaticQuery.slip.fahrenheit': 'in °F instead of °C',
  'automaticQuery.slip.celsius': 'in °C instead of °F',
  'automaticQuery.slip.milligrams': 'in mg/dL instead of mmol/L',
  'automaticQuery.slip.millimoles': 'in mmol/L instead of mg/dL',
  'automaticQuery.slip.tenLarge': 'ten times too large',
  'automaticQuery.slip.tenSmall': 'ten times too small',
  'automaticQuery.slip.hundredLarge': 'a hundred times too large',
  'automaticQuery.slip.hundredSmall': 'a hundred times too small',
  'automaticQuery.slip.thousandLarge': 'a thousand times too large',
  'automaticQuery.slip.thousandSmall': 'a thousand times too small',

  ...consentTexts,
  ...siteTexts,
  ...masterFileTexts,

  // The report on what is held about a person.
  'report.title': 'What is held about you',
  'report.intro':
    'This is everything that the study “{trial}” holds about participant {participant}, as of {date}. The file report.json has the same for use by computers.',
  'report.unprintable':
    'Some characters cannot be printed, and are shown as □. The files report.html and report.json have them.',
  'report.erased': 'Personal information was erased on {date}. The study data are kept.',
  'report.person': 'Person',
  'report.field.id': 'Participant ID',
  'report.field.createdAt': 'Registered',
  'report.field.name': 'Name',
  'report.field.dob': 'Date of birth',
  'report.field.email': 'E-mail address',
  'report.field.phone': 'Telephone',
  'report.field.whatsapp': 'WhatsApp number',
  'report.field.sites': 'Sites',
  'report.field.groups': 'Groups',
  'report.answers': 'Answers',
  'report.deletedForm': 'Deleted: {form}',
  'report.status': 'Status: {status}',
  'report.score': 'Score: {score}',
  'report.changes': 'Earlier versions and changes',
  'report.files': 'Uploaded files',
  'report.records': 'Other records',
  'report.records.messages': 'Messages',
  'report.records.notes': 'Notes',
  'report.records.foodDiary': 'Food diary',
  'report.records.appointments': 'Events and meetings',
  'report.records.queries': 'Queries of the team',
  'report.records.signatures': 'Signatures and checks',
  'report.records.tasks': 'Tasks of the team',
  'report.records.drafts': 'Drafts',
  'report.records.memberships': 'Sites and groups',
  'report.records.schedule': 'Schedule',
  'report.records.reminders': 'Reminders and notifications',
  'report.records.access': 'Sign-ins and links',
  'report.records.others': 'Technical records',
  'report.log': 'What was done, when and by whom',

  // The accountability log of packs as a PDF.
  'packLog.title': 'Accountability of packs',
  'packLog.place.site': 'Site {site}',
  'packLog.concealed': 'Type concealed',
  'packLog.place.trial': 'Trial level',
  'packLog.balanced': 'Every pack is accounted for.',
  'packLog.unbalanced': 'The books do not balance: {count} packs are unaccounted for.',
  'packLog.received': 'received',
  'packLog.movedIn': 'moved in',
  'packLog.movedOut': 'moved out',
  'packLog.inStock': 'in stock',
  'packLog.quarantined': 'in quarantine',
  'packLog.dispensed': 'dispensed',
  'packLog.returned': 'returned',
  'packLog.lost': 'lost',
  'packLog.damaged': 'damaged',
  'packLog.destroyed': 'destroyed',
  'packLog.moved': 'moved',
  'packLog.unitsReturned': 'units returned',
  'packLog.column.pack': 'Pack',
  'packLog.column.batch': 'Batch',
  'packLog.column.expires': 'Expires',
  'packLog.column.received': 'Received',
  'packLog.column.participant': 'Participant',
  'packLog.column.dispensed': 'Dispensed',
  'packLog.column.returned': 'Returned',
  'packLog.column.end': 'State',
  'packLog.otherArm': 'not of this arm',
  'packLog.signature': 'Checked by (name, date, signature):',
  'packLog.unprintable': 'Some characters cannot be printed, and are shown as □. The csv has them.',

  ...deletionTexts,
  ...accountTexts,
} as const

export type TextKey = keyof typeof en
/** The texts of one language. */
export type Catalogue = Readonly<Record<TextKey, string>>
