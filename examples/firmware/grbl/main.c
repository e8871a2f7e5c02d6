/* grbl's serial module between a host that sends anything and a main program that reads and writes.
 *
 * The interrupt handlers run between two steps of the main program. What they ask of other modules (a reset, flags of the
 * real-time commands) is left open: those functions have no body here. `-DBUG` claims that the receive buffer is never
 * full. */
#include "grbl.h"
#include <assert.h>

extern uint8_t serial_rx_buffer_head, serial_tx_buffer_head;
extern volatile uint8_t serial_rx_buffer_tail, serial_tx_buffer_tail;

void USART_RX_vect(void);
void USART_UDRE_vect(void);
uint8_t nondet_step(void);
uint8_t nondet_byte(void);

system_t sys;
volatile uint8_t sys_rt_exec_state;

int main(void)
{
    serial_init();
    for (;;) {
        switch (nondet_step()) {
        case 0:
            USART_RX_vect();
            break;
        case 1:
            /* Only raised while there is something to send. */
            if (serial_tx_buffer_head != serial_tx_buffer_tail)
                USART_UDRE_vect();
            break;
        case 2:
            serial_read();
            break;
        case 3:
            /* With a full buffer the program waits for the handler above. */
            if (serial_get_tx_buffer_count() < TX_BUFFER_SIZE)
                serial_write(nondet_byte());
            break;
        case 4:
            serial_reset_read_buffer();
            break;
        }
        assert(serial_rx_buffer_head <= RX_BUFFER_SIZE && serial_rx_buffer_tail <= RX_BUFFER_SIZE);
        assert(serial_tx_buffer_head <= TX_BUFFER_SIZE && serial_tx_buffer_tail <= TX_BUFFER_SIZE);
        assert(serial_get_rx_buffer_available() <= RX_BUFFER_SIZE);
#ifdef BUG
        assert(serial_get_rx_buffer_available() > 0);
#endif
    }
}
