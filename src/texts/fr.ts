import type { Catalogue } from './en'

export const fr: Catalogue = {
  'signInLink.body':
    "Votre lien personnel pour {trial} : {url}\nUtilisable une seule fois, jusqu'au {date}. Merci de ne pas le transmettre.",
  'verificationCode.body':
    '{code} est votre code pour {trial}. Il est valable {minutes} minutes. Merci de ne pas le communiquer.',
  'behindSchedule.body.one': 'Merci de remplir encore ce questionnaire : {forms}.',
  'behindSchedule.body.other': 'Merci de remplir encore ces questionnaires : {forms}.',
  'attachments.one': 'Un fichier accompagne ce message : {url}',
  'attachments.other': '{count} fichiers accompagnent ce message : {url}',
  'appointment.invitation.body': 'Vous êtes invité(e) au rendez-vous vidéo « {title} » le {when}.',
  'appointment.reminder.body': 'Rappel : « {title} » a lieu le {when}.',
  'appointment.moved.body': '« {title} » a été déplacé. La nouvelle date est le {when}.',
  'appointment.cancelled.body': '« {title} » du {when} est annulé.',
  'appointment.join': ' Participer : {url}',

  'welcome.body':
    'Bienvenue dans {trial}. Vous pouvez écrire ici à l’équipe de l’étude, et vous trouverez ici ce que l’équipe et l’étude vous envoient. ' +
    'L’équipe ne lit peut-être pas votre message tout de suite : en cas d’urgence, appelez les secours.',
  'calendar.openUntil': 'Ouvert jusqu’au {when}.',

  quoted: '« {name} »',
  'more.one': '{count} autre',
  'more.other': '{count} autres',

  'taskAssigned.subject': '{trial} : une tâche pour vous',
  'taskAssigned.body': '{user} vous a attribué une tâche.\n\nÉtude : {trial}\nTâche : {task}\n',
  'taskAssigned.due': 'Échéance : {due} UTC\n',
  'fileAssigned.subject': '{trial} : un fichier pour vous',
  'fileAssigned.body':
    '{user} vous a attribué un fichier du dossier permanent de l’étude (TMF).\n\nÉtude : {trial}\nFichier : {file}\n',
  'submission.subject': '{trial} : « {form} », participant {participant}',
  'submission.attention': 'Des réponses demandent votre attention.',
  'submission.about': '\n\nÉtude : {trial}\nParticipant : {participant}\nFormulaire : {form}\n',
  'queryAssigned.subject.one': '{trial} : une question (query) pour vous',
  'queryAssigned.subject.other': '{trial} : {count} questions (queries) pour vous',
  'queryMessage.subject': '{trial} : un nouveau message au sujet d’une question (query)',
  'query.study': 'Étude : {trial}\n',
  'query.form': 'Participant {participant}, formulaire « {form} »\n',
  'query.unallocated': 'Réponse non encore attribuée, formulaire « {form} »\n',
  'newMessage.subject': '{trial} : un message du participant {participant}',
  'newMessage.body': 'Étude : {trial}\nParticipant : {participant}\n',
  'appointment.staff.invitation.subject': '{trial} : un rendez-vous vidéo avec un participant',
  'appointment.staff.reminder.subject': '{trial} : rappel d’un rendez-vous',
  'appointment.staff.moved.subject': '{trial} : un rendez-vous a été déplacé',
  'appointment.staff.cancelled.subject': '{trial} : un rendez-vous est annulé',
  'appointment.staff.body': 'Étude : {trial}\nParticipant : {participant}\nRendez-vous : {title}\nHeure : {when}\n',
  'appointment.staff.join': 'Participer : {url}\n',
  'calendar.closes': '{name} se ferme',
  'calendar.more.meeting': 'Autres rendez-vous vidéo : voir le calendrier de l’étude',
  'calendar.more.event': 'Autres rendez-vous : voir le calendrier de l’étude',
  'calendar.more.task': 'Autres tâches : voir le calendrier de l’étude',
  'calendar.more.window': 'Autres échéances : voir le calendrier de l’étude',
  'calendar.more.visit': 'Autres visites : voir le calendrier de l’étude',

  'report.title': 'Les données que nous conservons à votre sujet',
  'report.intro':
    'Voici tout ce que l’étude « {trial} » conserve au sujet du participant {participant}, à la date du {date}. Le fichier report.json contient les mêmes données sous une forme lisible par un ordinateur.',
  'report.unprintable':
    'Certains caractères ne peuvent pas être imprimés et sont remplacés par □. Ils se trouvent dans le fichier report.json.',
  'report.erased': 'Les informations personnelles ont été effacées le {date}. Les données de l’étude sont conservées.',
  'report.person': 'Informations personnelles',
  'report.field.id': 'Numéro de participant',
  'report.field.createdAt': 'Inscription',
  'report.field.name': 'Nom',
  'report.field.dob': 'Date de naissance',
  'report.field.email': 'Adresse e-mail',
  'report.field.phone': 'Téléphone',
  'report.field.whatsapp': 'Numéro WhatsApp',
  'report.field.sites': 'Centres',
  'report.field.groups': 'Groupes',
  'report.answers': 'Réponses',
  'report.deletedForm': 'Supprimé : {form}',
  'report.changes': 'Versions précédentes et modifications',
  'report.files': 'Fichiers envoyés',
  'report.records': 'Autres enregistrements',
  'report.log': 'Ce qui a été fait, quand et par qui',

  'account.invitation.subject': 'Votre compte pour {team}',
  'account.invitation.body':
    'Bonjour {name},\n\nvous êtes invité(e) à rejoindre {team}. Merci de choisir votre mot de passe ici dans les {hours} heures :\n{url}\n',
  'account.joined.subject': 'Vous avez rejoint {team}',
  'account.joined.body': 'Bonjour {name},\n\nvous êtes maintenant membre de {team}.\n',
  'account.reset.subject': 'Nouveau mot de passe',
  'account.reset.body':
    'Bonjour {name},\n\nquelqu’un, probablement vous, a demandé un nouveau mot de passe. Merci de le choisir ici dans l’heure qui suit :\n{url}\n\n' +
    'Si ce n’était pas vous, vous n’avez rien à faire.\n',
}
