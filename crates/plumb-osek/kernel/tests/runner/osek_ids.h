/* A system with room for every case. The tables are filled from the text of the case. */
#ifndef OSEK_IDS_H
#define OSEK_IDS_H

#define OSEK_TASK_COUNT 8
#define OSEK_RESOURCE_COUNT 6
#define OSEK_COUNTER_COUNT 3
#define OSEK_ALARM_COUNT 6
#define OSEK_ISR_COUNT 5
#define OSEK_MESSAGE_COUNT 8
#define OSEK_MODE_COUNT 3
#define OSEK_ACTIVATION_TOTAL 64
#ifndef OSEK_EXTENDED_STATUS
#define OSEK_EXTENDED_STATUS 1
#endif
#define OSEK_COM_EXTENDED_STATUS OSEK_EXTENDED_STATUS
#define OSEK_ERROR_HOOK 1
#define OSEK_PRETASK_HOOK 1
#define OSEK_POSTTASK_HOOK 1
#define OSEK_STARTUP_HOOK 1
#define OSEK_SHUTDOWN_HOOK 1
#define OSEK_COM_ERROR_HOOK 1
#define OSDEFAULTAPPMODE 0

#endif
