/* A main program that reads and writes through grbl's serial module, whose interrupt handlers run whenever they can.
 *
 * What the handlers ask of other modules (a reset, flags of the real-time commands) is left open: those functions have no body
 * here. `-DBUG` claims that no more of the receive buffer is ever available than there is. */
#include "grbl.h"
#include <assert.h>

extern uint8_t serial_rx_buffer_head, serial_tx_buffer_head;
extern volatile uint8_t serial_rx_buffer_tail, serial_tx_buffer_tail;

uint8_t nondet_step(void);
uint8_t nondet_byte(void);

system_t sys;
volatile uint8_t sys_rt_exec_state;

int main(void)
{
    serial_init();
    sei();
    for (;;) {
        switch (nondet_step()) {
        case 0:
            serial_read();
            break;
        case 1:
            serial_write(nondet_byte());
            break;
        case 2:
            serial_reset_read_buffer();
            break;
        }
        assert(serial_rx_buffer_head <= RX_BUFFER_SIZE && serial_rx_buffer_tail <= RX_BUFFER_SIZE);
        assert(serial_tx_buffer_head <= TX_BUFFER_SIZE && serial_tx_buffer_tail <= TX_BUFFER_SIZE);
#ifdef BUG
        assert(serial_get_rx_buffer_available() <= RX_BUFFER_SIZE);
#endif
    }
}
